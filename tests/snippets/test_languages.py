"""Detects the language of a text."""

import time

import pytest

from snippets.languages import guess

pytestmark = pytest.mark.any_database


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", "#!/usr/bin/env python3\nx\n"),
        ("python", '"""A module."""\n\nimport os\n'),
        ("python", "def f(x):\n    return x + 1\n"),
        ("bash", "#!/bin/sh\nset -e\n"),
        ("php", "<?php echo 1;\n"),
        ("html", "\n<!DOCTYPE html><p>"),
        ("xml", '<?xml version="1.0"?><a/>'),
        ("diff", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"),
        ("pytb", 'Traceback (most recent call last):\n  File "x.py", line 1\n'),
        ("docker", "# what it is\nFROM debian:12\nRUN apt-get update\n"),
        ("go", "// Package main\npackage main\n"),
        ("rust", 'fn main() {\n    println!("x");\n}\n'),
        ("csharp", "using System;\n"),
        ("java", "public class A {\n}\n"),
        ("cpp", "#include <vector>\nint main() {}\n"),
        ("c", '#include <stdio.h>\n#include "a.h"\n'),
        ("typescript", "export interface A {\n  b: string;\n}\n"),
        ("javascript", "const a = () => { return 1; };\n"),
        ("sql", "SELECT a\nFROM b WHERE c = 1;\n"),
        ("ini", "[section]\nname = value\n"),
        ("css", "a:hover { color: red; }\n"),
        ("yaml", "a: 1\nb:\n  - c\n"),
        ("json", '{\n  "a": [1, 2]\n}\n'),
        ("", "Just some words, and more.\nImport duty is due. Select a friend from the list."),
        ("", "Dear all:\n- one\n- two\n"),
        ("", "{{ x }} [1]"),
        ("", "2026-03-01 12:00:00 ERROR it: failed\n"),
        ("", ""),
    ],
)
def test_the_language_is_detected_in_code_and_not_in_prose(language, text):
    assert guess(text) == language


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "\n",
        "#\n",
        "select ",
        "a: \n",
        "- ",
        "//\n",
        "[ ",
        ". ",
        "a, ",
        "=",
        "--- ",
        "fn a",
        " \n",
        "a.",
        "let a",
    ],
)
def test_no_text_is_slow(piece):
    began = time.process_time()
    guess(piece * 5000)
    assert time.process_time() - began < 5  # usually a thousandth of that; a bad pattern never ends
