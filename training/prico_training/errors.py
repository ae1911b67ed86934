"""What goes wrong when somebody asks for a run, a tournament or a page that cannot be."""

from prico_env.errors import PricoError


class ConfigError(PricoError):
    """A setting is unknown, or its value cannot be used."""


class StorageError(PricoError):
    """A file or folder cannot be written: there is no space, no permission, or no folder."""


class InUseError(PricoError):
    """Another process is at work in a folder."""


class DatasetError(PricoError):
    """A data set is not there, is damaged, or is another one than was asked for."""
