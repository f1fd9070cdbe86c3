"""Where figures of the tutorial go: the folder GOSSAMER_FIGURES, or figures/ here."""

import os
from pathlib import Path

folder = Path(os.environ.get("GOSSAMER_FIGURES", Path(__file__).parent / "figures"))


def save(name, draw):
    """Calls draw(axes) and saves the figure; without matplotlib it says so and goes on."""
    try:
        import matplotlib
    except ImportError:
        print(f"no figure {name}: matplotlib is not installed (python3-matplotlib)")
        return
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    draw(axes)
    figure.savefig(folder / f"{name}.png", dpi=100)
    plt.close(figure)
    print(f"saved {folder / name}.png")
