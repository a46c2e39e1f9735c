"""`python -m holdfast` is `holdfast`."""

from holdfast.surfaces.cli.main import start

if __name__ == "__main__":
    start()
