# SPDX-License-Identifier: Apache-2.0
"""An embedding that needs no model: how often each letter of the alphabet occurs in a text."""

import string


def letters_of(text):
    return [float(text.lower().count(letter)) for letter in string.ascii_lowercase]
