"""JUnit's XML, which every CI server shows: a suite, and in it a case for each file.

A file with something in the way or something to change is a failure; one that can't be read is an
error. Source: https://github.com/testmoapp/junitxml.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from ...files import levels
from ..escape import safe
from ..remarks import UNREADABLE, Remark
from ..result_report import Report


def document(remarks: Sequence[Remark], report: Report) -> str:
    """One suite for the run."""
    cases = _cases(remarks, report)
    failures = [each for each in cases if each.find("failure") is not None]
    errors = [each for each in cases if each.find("error") is not None]
    counts = {"tests": str(len(cases)), "failures": str(len(failures)), "errors": str(len(errors))}
    suites = ElementTree.Element("testsuites", counts)
    ElementTree.SubElement(suites, "testsuite", {"name": "distify", **counts}).extend(cases)
    ElementTree.indent(suites)
    text = ElementTree.tostring(suites, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _cases(remarks: Sequence[Remark], report: Report) -> list[ElementTree.Element]:
    by_file: dict[str, list[Remark]] = {each.name: [] for each in report.result.outcomes}
    for remark in remarks:
        by_file.setdefault(remark.path, []).append(remark)
    return [_case(path, found) for path, found in sorted(by_file.items())]


def _case(path: str, found: Sequence[Remark]) -> ElementTree.Element:
    case = ElementTree.Element("testcase", {"name": safe(path), "classname": "distify"})
    counted = [each for each in found if each.level != levels.NOTE and each.reason is None]
    if counted:
        kind = "error" if any(each.code == UNREADABLE for each in counted) else "failure"
        message = safe(f"{counted[0].code}: {counted[0].message}")
        told = ElementTree.SubElement(case, kind, {"message": message, "type": counted[0].code})
        told.text = "\n".join(safe(_line(each)) for each in counted)
    return case


def _line(remark: Remark) -> str:
    line = f"cell {remark.cell}, line {remark.line}" if remark.cell else f"line {remark.line}"
    return f"{line}: {remark.code} {remark.message}"
