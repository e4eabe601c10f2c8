"""Is a program right on many workers? One judge answers, of results as of what people write.

Rules propose and carry no proofs; what they made is read anew as text, and each obligation is
proved of it, or it isn't written (translation validation: Pnueli, Siegel, Singerman, 1998).
"""
