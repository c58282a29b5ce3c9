package dev.pawl.lab.report;

import java.util.Collection;
import java.util.List;

/**
 * Statistics of several measurements of the same thing.
 *
 * @param min minimum
 * @param q1 first quartile
 * @param median second quartile
 * @param q3 third quartile
 * @param max maximum
 * @param count number of values
 */
public record Summary(double min, double q1, double median, double q3, double max, int count) {
    /**
     * @param values at least one
     * @return their statistics; quantiles are interpolated linearly
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

    /** {@return the interquartile range, as a share of the median} */
    public double spread() {
        return median == 0 ? 0 : (q3 - q1) / median;
    }
}
