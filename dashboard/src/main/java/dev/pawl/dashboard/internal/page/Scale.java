package dev.pawl.dashboard.internal.page;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;

/** The vertical axis of a {@link Chart}: where a value is, and which values have marks. */
sealed interface Scale {
    /** {@return the vertical position of a value} */
    double place(double value);

    /** {@return the values with marks, ascending} */
    List<Double> levels();

    /** {@return the marks, the floor first} */
    default List<Chart.Mark> marks(DoubleFunction<String> format) {
        List<Double> levels = levels();
        List<Chart.Mark> marks = new ArrayList<>();
        for (int i = 0; i < levels.size(); i++) {
            marks.add(new Chart.Mark(Chart.number(place(levels.get(i))), format.apply(levels.get(i)), i == 0));
        }
        return marks;
    }

    /**
     * From zero, in equal steps.
     *
     * @param step between two marks
     * @param most the value at the top
     */
    record Linear(double step, double most) implements Scale {
        private static final double[] STEPS = {1, 2, 2.5, 5, 10};
        private static final int INTERVALS = 4;

        /**
         * {@return a scale for these values}
         *
         * @param least the smallest step, such as one job
         */
        static Linear of(Collection<Double> values, double least) {
            double most = values.stream()
                    .filter(value -> !value.isNaN())
                    .mapToDouble(Double::doubleValue)
                    .max()
                    .orElse(0);
            double wanted = Math.max(least, nice(most / INTERVALS));
            double step = wanted > 0 ? wanted : 1;
            return new Linear(step, Math.max(step, Math.ceil(most / step) * step));
        }

        private static double nice(double step) {
            if (step <= 0) {
                return 0;
            }
            double magnitude = Math.pow(10, Math.floor(Math.log10(step)));
            for (double nice : STEPS) {
                if (nice * magnitude >= step) {
                    return nice * magnitude;
                }
            }
            return 10 * magnitude;
        }

        @Override
        public double place(double value) {
            return Chart.BOTTOM - value / most * (Chart.BOTTOM - Chart.TOP);
        }

        @Override
        public List<Double> levels() {
            List<Double> levels = new ArrayList<>();
            for (int i = 0; i * step <= most * 1.000_1; i++) {
                levels.add(i * step);
            }
            return levels;
        }
    }

    /**
     * Durations in milliseconds on a logarithmic axis. Each mark is about ten times the mark before it, so that a wait of an hour does not
     * hide waits of seconds.
     *
     * @param levels the values with marks, at least two
     */
    record Durations(List<Double> levels) implements Scale {
        private static final List<Double> ALL =
                List.of(0.1, 1.0, 10.0, 100.0, 1e3, 1e4, 6e4, 6e5, 3.6e6, 3.6e7, 3.6e8, 3.6e9, 3.6e10);
        private static final int MAX = 5;

        /** {@return a scale for these durations; zero and less are at its floor} */
        static Durations of(Collection<Double> millis) {
            double least = millis.stream()
                    .filter(value -> value > 0)
                    .mapToDouble(Double::doubleValue)
                    .min()
                    .orElse(100);
            double most = millis.stream()
                    .filter(value -> value > 0)
                    .mapToDouble(Double::doubleValue)
                    .max()
                    .orElse(1_000);
            int from = 0;
            while (from < ALL.size() - 2 && ALL.get(from + 1) <= least) {
                from++;
            }
            int to = from + 1;
            while (to < ALL.size() - 1 && ALL.get(to) < most) {
                to++;
            }
            List<Double> levels = ALL.subList(Math.max(from, to - MAX + 1), to + 1);
            return new Durations(levels.size() > 2 ? List.copyOf(levels) : between(levels.get(0), levels.get(1)));
        }

        /** {@return marks at the first value, at two and five times the first value if that is below the last, and at the last} */
        private static List<Double> between(double first, double last) {
            return Stream.of(first, 2 * first, 5 * first, last)
                    .filter(level -> level <= last)
                    .distinct()
                    .toList();
        }

        @Override
        public double place(double value) {
            double least = levels.get(0);
            double most = levels.get(levels.size() - 1);
            double share = Math.log(Math.max(least, Math.min(most, value)) / least) / Math.log(most / least);
            return Chart.BOTTOM - share * (Chart.BOTTOM - Chart.TOP);
        }
    }
}
