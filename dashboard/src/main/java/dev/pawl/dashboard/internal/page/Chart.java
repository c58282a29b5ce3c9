package dev.pawl.dashboard.internal.page;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/**
 * A chart of one quantity on a page: curves with axes, in an area of 360 by 150. It needs no script, but a script adds the value at the
 * pointer.
 *
 * @param title the quantity
 * @param now its last value; "none" if there is none
 * @param summary as text, for screen readers
 * @param levels marks of the vertical axis
 * @param times marks of the horizontal axis
 * @param places the horizontal position of each sample, separated by blanks
 * @param moments the time of each sample, separated by bars
 * @param curves to draw; several only for percentiles of the same quantity
 */
public record Chart(
        String title,
        String now,
        String summary,
        List<Mark> levels,
        List<Mark> times,
        String places,
        String moments,
        List<Curve> curves) {
    static final double LEFT = 48;
    static final double RIGHT = 354;
    static final double TOP = 12;
    static final double BOTTOM = 128;
    /** The end of the path of an area. */
    private static final String FLOOR = "V" + Math.round(BOTTOM) + "Z";

    /**
     * A mark of an axis.
     *
     * @param place its position
     * @param label its text
     * @param isFloor whether it is the bottom of the chart
     */
    public record Mark(String place, String label, boolean isFloor) {}

    /**
     * A curve.
     *
     * @param name of the series
     * @param style the CSS classes of its colour
     * @param line the path of the line, interrupted where there is no value
     * @param area the path of the area below it
     * @param values the text of each value, separated by bars
     */
    public record Curve(String name, String style, String line, String area, String values) {}

    /**
     * The values of a curve.
     *
     * @param name of the series
     * @param style the CSS classes of its colour
     * @param of a value for each sample; NaN where there is none
     */
    record Values(String name, String style, List<Double> of) {}

    /**
     * @param title of the quantity
     * @param at the moments of the samples, at least two
     * @param format of the values
     * @param scale of the vertical axis
     * @param all the curves
     */
    static Chart of(String title, List<Instant> at, DoubleFunction<String> format, Scale scale, List<Values> all) {
        TimeAxis axis = new TimeAxis(at.get(0), at.get(at.size() - 1));
        List<Curve> curves = new ArrayList<>();
        StringJoiner summary = new StringJoiner("; ", title + ": ", "");
        for (Values values : all) {
            curves.add(curve(values, at, axis, scale, format));
            double most = values.of.stream()
                    .filter(value -> !value.isNaN())
                    .mapToDouble(Double::doubleValue)
                    .max()
                    .orElse(0);
            String name = all.size() == 1 ? "" : values.name + " ";
            summary.add(name + "now " + last(values, format) + ", at most " + format.apply(most));
        }
        return new Chart(
                title,
                last(all.get(0), format),
                summary.toString(),
                scale.marks(format),
                axis.marks(),
                at.stream().map(moment -> number(axis.place(moment))).collect(Collectors.joining(" ")),
                at.stream().map(axis::words).collect(Collectors.joining("|")),
                curves);
    }

    private static String last(Values values, DoubleFunction<String> format) {
        return text(values.of.get(values.of.size() - 1), format);
    }

    private static String text(double value, DoubleFunction<String> format) {
        return Double.isNaN(value) ? "none" : format.apply(value);
    }

    private static Curve curve(
            Values values, List<Instant> at, TimeAxis axis, Scale scale, DoubleFunction<String> format) {
        StringBuilder line = new StringBuilder();
        StringBuilder area = new StringBuilder();
        StringJoiner texts = new StringJoiner("|");
        boolean isOpen = false;
        for (int i = 0; i < at.size(); i++) {
            double value = values.of.get(i);
            texts.add(text(value, format));
            if (Double.isNaN(value)) {
                area.append(isOpen ? FLOOR : "");
                isOpen = false;
                continue;
            }
            double x = axis.place(at.get(i));
            double y = scale.place(value);
            line.append(isOpen ? "L" : "M").append(number(x)).append(' ').append(number(y));
            area.append(isOpen ? "L" : "M" + Math.round(x) + " " + Math.round(BOTTOM) + "L")
                    .append(Math.round(x))
                    .append(' ')
                    .append(Math.round(y)); // below the line, so whole numbers are enough
            isOpen = true;
        }
        area.append(isOpen ? FLOOR : "");
        return new Curve(values.name, values.style, line.toString(), area.toString(), texts.toString());
    }

    /** {@return a position with at most one digit after the point} */
    static String number(double place) {
        double rounded = Math.rint(place * 10) / 10;
        return rounded == Math.rint(rounded)
                ? Long.toString((long) rounded)
                : String.format(Locale.ROOT, "%.1f", rounded);
    }
}
