"""What shows something to a person: prints, windows, pictures and progress bars."""

from __future__ import annotations

from .words import table

# They only show something to a person: N times the same, and nothing is spoiled.
SHOWING = table("""
builtins: print
pprint: pprint pp
rich: print
sys.stdout: write writelines flush
sys.stderr: write writelines flush
tqdm: write
tqdm.tqdm: write
tqdm.auto.tqdm: write
tensorflow: print
matplotlib.pyplot: show
pylab: show
cv2: imshow
""")
# They draw, on the current figure or on one that they are given.
DRAWING = table("""
matplotlib.pyplot: annotate arrow axhline axhspan axis axvline axvspan bar barh boxplot cla clf
  close colorbar contour contourf errorbar figtext figure fill fill_between gca gcf gray grid hist
  hist2d hlines imshow legend loglog margins matshow pcolormesh pie plot scatter semilogx semilogy
  stackplot stem step subplot subplots subplots_adjust suptitle text tick_params tight_layout title
  violinplot vlines xlabel xlim xscale xticks ylabel ylim yscale yticks
seaborn: barplot boxplot boxenplot countplot distplot ecdfplot heatmap histplot kdeplot lineplot
  pointplot regplot residplot rugplot scatterplot stripplot swarmplot violinplot
""")
# They look for what was drawn, and some raise where nothing was.
LOOKING = table("""
matplotlib.pyplot: clim colorbar fignum_exists findobj gci get_fignums sci set_cmap
""")
# They make what is drawn on.
MAKING = table("matplotlib.pyplot: axes figure gca gcf subplot subplots")
BARS = frozenset(
    f"{module}.{name}"
    for module in ("tqdm", "tqdm.auto", "tqdm.autonotebook", "tqdm.notebook", "tqdm.std")
    for name in ("tqdm", "trange", "tqdm_notebook", "tnrange")
)
PROGBAR = "tensorflow.keras.utils.Progbar"

# What makes a writer of summaries: one that writes, and one that keeps them to itself.
MAKES_WRITER = "tensorflow.summary.create_file_writer"
SUMMARY_WRITERS = (MAKES_WRITER, "tensorflow.summary.create_noop_writer")
COLOURS = "matplotlib.pyplot.colorbar"  # it asks the current figure for nothing
# What shows, or writes down, all that it is given.
ALL_SHOWN = (
    *("numpy.save", "matplotlib.", "pickle."),
    *("tensorflow.io.write_file", "tensorflow.summary."),
)
# What logs a training by itself; some are callbacks.
LOGGERS = (
    r"(wandb|neptune|mlflow|comet_ml|clearml|aim|dvclive|livelossplot|tqdm|tensorboard)(\.|$)"
    r"|tensorflow_addons\.callbacks\.TQDMProgressBar$"
)
