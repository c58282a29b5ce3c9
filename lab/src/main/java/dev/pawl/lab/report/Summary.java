package dev.pawl.lab.report;

import java.util.Collection;
import java.util.List;

/**
 * Several measurements of the same thing.
 *
 * @param min the least
 * @param q1 a quarter is not above it
 * @param median half is not above it
 * @param q3 three quarters are not above it
 * @param max the greatest
 * @param count how many there are
 */
public record Summary(double min, double q1, double median, double q3, double max, int count) {
    /**
     * @param values at least one
     * @return their summary; quantiles lie between two values in proportion
     */
    public static Summary of(Collection<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return new Summary(
                sorted.get(0),
                quantile(sorted, 0.25),
                quantile(sorted, 0.5),
                quantile(sorted, 0.75),
                sorted.get(sorted.size() - 1),
                sorted.size());
    }

    private static double quantile(List<Double> sorted, double share) {
        double place = share * (sorted.size() - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.size() - 1);
        return sorted.get(below) + (place - below) * (sorted.get(above) - sorted.get(below));
    }

    /** {@return the width of the middle half, as a share of the median} */
    public double spread() {
        return median == 0 ? 0 : (q3 - q1) / median;
    }
}
