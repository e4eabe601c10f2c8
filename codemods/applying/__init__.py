"""Rules at work: which are chosen, where they have something to do, and the text behind each."""
