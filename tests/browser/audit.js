// What a page looks like, measured: words that are torn, what sticks out, texts that lie on texts.
inside => {
  const seen = e => {
    const style = getComputedStyle(e);
    return style.visibility !== 'hidden' && style.display !== 'none' && e.getClientRects().length > 0;
  };
  const texts = [];
  const walker = document.createTreeWalker(document.querySelector(inside), NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const inside = node.parentElement;
    if (node.textContent.trim() && seen(inside) && !inside.closest('title, desc, script, style')
        && !inside.closest('.skip')) texts.push(node);
  }
  const rects = (node, from, to) => {
    const range = document.createRange();
    range.setStart(node, from); range.setEnd(node, to);
    return [...range.getClientRects()].filter(r => r.width > 0);
  };
  const block = e => {
    while (getComputedStyle(e).display.startsWith('inline')) e = e.parentElement;
    return e;
  };
  const torn = [];
  for (const node of texts) {
    for (const word of node.textContent.matchAll(/[\p{L}\p{N}_]+/gu)) {
      const found = rects(node, word.index, word.index + word[0].length);
      const lines = new Set(found.map(r => Math.round(r.top)));
      if (lines.size > 1) {
        const around = [...node.textContent.matchAll(/\S+/g)].findLast(each => each.index <= word.index);
        torn.push([word[0], Math.round(found.reduce((sum, r) => sum + r.width, 0)),
                   Math.round(block(node.parentElement).getBoundingClientRect().width), around[0]]);
      }
    }
  }
  const wide = document.documentElement.clientWidth;
  const out = texts.filter(node => [...node.textContent.matchAll(/\S+/g)].some(word =>
    rects(node, word.index, word.index + word[0].length).some(r => r.right > wide + 1 || r.left < -1)))
    .map(node => node.textContent.trim().slice(0, 60));
  const scrolled = [...document.querySelectorAll('body *')].filter(e => seen(e)
    && e.scrollWidth > e.clientWidth + 1 && ['auto', 'scroll'].includes(getComputedStyle(e).overflowX))
    .map(e => (e.getAttribute('aria-label') || e.tagName) + ': ' + e.scrollWidth + ' in ' + e.clientWidth);
  const labels = [...document.querySelectorAll(inside + ' svg text')].filter(seen);
  const boxes = labels.map(e => e.getBoundingClientRect());
  const over = [];
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b, j) => {
    if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3)
      over.push(labels[i].textContent + ' | ' + labels[i + j + 1].textContent);
  }));
  const small = texts.map(node => [parseFloat(getComputedStyle(node.parentElement).fontSize)
      * (node.parentElement.closest('svg') ? node.parentElement.getScreenCTM().a : 1),
      node.textContent.trim().slice(0, 40)]).filter(([size]) => size < 8.5);
  return {torn, out, scrolled, over, small, page: document.documentElement.scrollWidth - wide,
          texts: texts.length};
}
