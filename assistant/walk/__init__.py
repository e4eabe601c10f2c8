"""The walk of `distify migrate --interactive`: what is asked, what follows from each answer."""
