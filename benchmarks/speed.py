"""Battles a second in one process, and the ratio of the compiled engine to its interpreted twin in the source tree."""

from measure import TREE, bench, tell


def main() -> None:
    """Run `simkit bench` as installed and from the source tree, one after the other."""
    signature, rate, compiled = bench()
    tell(f"battles a second, {'compiled' if compiled else 'interpreted'}", f"{rate:.1f}", "400 on two cores")
    twin_signature, twin_rate, twin_compiled = bench(TREE)
    assert not twin_compiled, "an extension lies in the source tree"
    tell("battles a second, interpreted", f"{twin_rate:.1f}")
    tell("installed over interpreted", f"{rate / twin_rate:.1f}", "7 if compiled")
    tell("the same results", "yes" if signature == twin_signature else "NO", "yes")


if __name__ == "__main__":
    main()
