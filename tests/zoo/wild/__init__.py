"""Servers as they are met in the wild, each with the truth about its page.

The truth was written down before the rules that are judged by it, from public documentation, bug
threads of link checkers and the public forms of block, parking and error pages. A case says what
a careful person with a browser would say, not what a rule does. Add to it what is met; never bend
a truth to a rule.
"""
