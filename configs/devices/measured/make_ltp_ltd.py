"""Writes ltp_ltd.csv: what a pulse tester would hand over, drawn from the model that the file states. Standard library only."""
import math

LOW_US, HIGH_US, PULSES, BEND = 10, 100, 64, 30


def moved(pulses):
    """Share of the range after a number of pulses."""
    return (1 - math.exp(-pulses / BEND)) / (1 - math.exp(-PULSES / BEND))


def main():
    with open("ltp_ltd.csv", "w", encoding="ascii") as file:
        file.write("# Not measured: computed from a model by make_ltp_ltd.py, to show what measured pulse curves look like.\n")
        file.write("# Raising: G = 10 uS + 90 uS f(n), lowering: G = 100 uS - 90 uS f(n), f(n) = (1 - exp(-n/30)) / (1 - exp(-64/30)).\n")
        file.write("pulse,raising_S,lowering_S\n")
        for n in range(PULSES + 1):
            step = (HIGH_US - LOW_US) * moved(n)
            file.write(f"{n},{LOW_US + step:.5f}e-6,{HIGH_US - step:.5f}e-6\n")


main()
