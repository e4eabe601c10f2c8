"""Signals that only count, as long as there is something to clean up."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from distify.assistant.verify.run.interrupt import WORDS, Interrupt


@pytest.mark.parametrize("word", WORDS)
def test_a_signal_is_counted_and_nothing_is_cut_short(word: int) -> None:
    before = signal.getsignal(word)
    with Interrupt() as asked:
        assert not asked.asked
        os.kill(os.getpid(), word)
        assert asked.asked
        assert not asked.hurry()
        os.kill(os.getpid(), word)
        assert asked.hurry()
    assert signal.getsignal(word) is before


def test_it_can_be_entered_inside_of_itself() -> None:
    before = signal.getsignal(signal.SIGINT)
    asked = Interrupt()
    with asked:
        with asked:
            pass
        os.kill(os.getpid(), signal.SIGINT)  # still only counted
        assert asked.asked
    assert signal.getsignal(signal.SIGINT) is before


def test_other_threads_have_no_say() -> None:
    before = signal.getsignal(signal.SIGINT)
    seen = []

    def enter() -> None:
        with Interrupt():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert seen == [before]
