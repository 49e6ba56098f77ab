"""Writes oxide_rram.csv: what a wafer tester would hand over, drawn from the model that the file states. Standard library only."""
import math
import random

TARGETS_US = [5, 10, 15, 20, 25, 30, 35, 40]
AGES_S = [1, 60, 3600, 86400]
CELLS = 120
SHAPE = 4  # of the gamma distribution: skewness 2 / sqrt(SHAPE) = 1


def mean_us(target, age):
    return target * (1 - 0.004 * math.log(age))


def sigma_us(target, age):
    g = target / 40
    return (0.2 + 2.0 * g * (1 - g)) * (1 + 0.05 * math.log(age))


def main():
    draw = random.Random(20240607)
    with open("oxide_rram.csv", "w", encoding="ascii") as file:
        file.write("# Not measured: drawn from a model by make_oxide_rram.py, to show what measured samples look like.\n")
        file.write("# G = mean + sigma X, X gamma distributed (shape 4) with mean 0 and variance 1, long tail to low G;\n")
        file.write("# mean = G_T (1 - 0.004 ln t), sigma = (0.2 + 2 g (1 - g)) (1 + 0.05 ln t) uS, g = G_T / 40 uS, t in s.\n")
        file.write(f"# {CELLS} samples of each of {len(TARGETS_US)} targets at each of {len(AGES_S)} ages.\n")
        file.write("target_S,age_s,g_S\n")
        for age in AGES_S:
            for target in TARGETS_US:
                for _ in range(CELLS):
                    x = (SHAPE - draw.gammavariate(SHAPE, 1)) / math.sqrt(SHAPE)
                    g = mean_us(target, age) + sigma_us(target, age) * x
                    file.write(f"{target}e-6,{age},{max(g, 0):.4f}e-6\n")


main()
