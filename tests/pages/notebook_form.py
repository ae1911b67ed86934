"""The form in which a notebook is stored: nothing of a run stays in it.

``python -m tests.pages.notebook_form`` writes every notebook in this form, so that a difference
shows what somebody changed and not what a machine printed.
"""

from pathlib import Path
from typing import Final

import nbformat

from prico_training.files import write_text

FOLDER: Final = Path(__file__).parents[2] / "notebooks"
FORMAT: Final = (4, 5)
METADATA: Final = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
"""All that a notebook says about the machine it wants."""


def notebooks() -> list[Path]:
    """Every notebook, in reading order."""
    return sorted(FOLDER.glob("*.ipynb"))


def stored_form(text: str) -> str:
    """Return a notebook without outputs, counts and traces of the program that wrote it.

    Args:
        text: The notebook as JSON.

    Raises:
        nbformat.ValidationError: It is no notebook of this format.
    """
    notebook = nbformat.reads(text, as_version=FORMAT[0])
    notebook.nbformat, notebook.nbformat_minor = FORMAT
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata.clear()
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbformat.validate(notebook)
    return nbformat.writes(notebook) + "\n"


if __name__ == "__main__":
    for path in notebooks():
        write_text(path, stored_form(path.read_text(encoding="utf-8")))
