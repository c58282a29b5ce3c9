package dev.pawl.lab.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Charts as options of ECharts. Series differ by dashes, symbols and patterns, not by colour alone. */
final class Charts {
    private static final List<String> DASHES = List.of("solid", "dashed", "dotted");
    private static final List<String> SYMBOLS = List.of(
            "circle", "rect", "triangle", "diamond", "emptyCircle", "emptyRect", "emptyTriangle", "emptyDiamond");
    private static final double FAR_APART = 30;
    private static final int ROW = 34;
    private static final int FRAME = 110;

    private Charts() {}

    /** Horizontal box plots, one per name: minimum, quartiles, median, maximum. */
    static Report.Chart boxes(String caption, String unit, Map<String, Summary> summaries) {
        List<String> names = List.copyOf(summaries.keySet());
        Map<String, Object> option = base();
        option.put("grid", Map.of("left", 28, "right", 24, "top", 16, "bottom", 44, "containLabel", true));
        option.put(
                "yAxis",
                Map.of("type", "category", "inverse", true, "data", names, "axisLabel", Map.of("interval", 0)));
        double least =
                summaries.values().stream().mapToDouble(Summary::min).min().orElse(0);
        double most =
                summaries.values().stream().mapToDouble(Summary::max).max().orElse(0);
        boolean log = least > 0 && most / least > FAR_APART;
        option.put("xAxis", log ? axis(unit + ", logarithmic", "log") : axis(unit, "value"));
        option.put(
                "series",
                List.of(Map.of(
                        "type",
                        "boxplot",
                        "layout",
                        "vertical",
                        "itemStyle",
                        Map.of("borderWidth", 1.5),
                        "data",
                        summaries.values().stream()
                                .map(s -> List.of(
                                        round(s.min()),
                                        round(s.q1()),
                                        round(s.median()),
                                        round(s.q3()),
                                        round(s.max())))
                                .toList())));
        return new Report.Chart(caption, option, FRAME + ROW * names.size());
    }

    /** Vertical bars over named bins, one pattern per series. */
    static Report.Chart bars(
            String caption,
            String xUnit,
            String yUnit,
            List<String> bins,
            Map<String, List<Double>> series,
            boolean log) {
        Map<String, Object> option = base();
        option.put("legend", Map.of("top", 0, "type", "scroll"));
        option.put("grid", Map.of("left", 8, "right", 16, "top", 40, "bottom", 44, "containLabel", true));
        Map<String, Object> x = axis(xUnit, "category");
        x.put("data", bins);
        option.put("xAxis", x);
        option.put("yAxis", axis(yUnit, log ? "log" : "value"));
        option.put(
                "series",
                series.entrySet().stream()
                        .map(one -> Map.of(
                                "type",
                                "bar",
                                "name",
                                one.getKey(),
                                "barMaxWidth",
                                36,
                                "barGap",
                                "0%",
                                "data",
                                one.getValue().stream()
                                        .map(value -> log && value <= 0 ? "-" : (Object) round(value))
                                        .toList()))
                        .toList());
        return new Report.Chart(caption, option, 320);
    }

    /** Lines through points. */
    static Report.Chart lines(
            String caption,
            String xUnit,
            String yUnit,
            Map<String, List<double[]>> series,
            boolean logX,
            boolean logY) {
        Map<String, Object> option = base();
        option.put("legend", Map.of("top", 0, "type", "scroll"));
        option.put("grid", Map.of("left", 8, "right", 24, "top", 40, "bottom", 44, "containLabel", true));
        option.put("xAxis", axis(xUnit, logX ? "log" : "value"));
        option.put("yAxis", axis(yUnit, logY ? "log" : "value"));
        List<String> names = List.copyOf(series.keySet());
        option.put(
                "series",
                names.stream()
                        .map(name -> Map.of(
                                "type",
                                "line",
                                "name",
                                name,
                                "symbol",
                                SYMBOLS.get(names.indexOf(name) % SYMBOLS.size()),
                                "symbolSize",
                                8,
                                "lineStyle",
                                Map.of("type", DASHES.get(names.indexOf(name) % DASHES.size())),
                                "data",
                                series.getOrDefault(name, List.of()).stream()
                                        .map(point -> List.of(point[0], round(point[1])))
                                        .toList()))
                        .toList());
        return new Report.Chart(caption, option, 320);
    }

    /** Patterns and contrast without colour come from ECharts' own support for accessibility. */
    private static Map<String, Object> base() {
        Map<String, Object> option = new LinkedHashMap<>();
        option.put("animation", false);
        option.put("aria", Map.of("enabled", true, "decal", Map.of("show", true)));
        option.put("tooltip", Map.of("trigger", "item", "confine", true));
        return option;
    }

    private static Map<String, Object> axis(String unit, String type) {
        Map<String, Object> axis = new LinkedHashMap<>();
        axis.put("type", type);
        axis.put("name", unit);
        axis.put("nameLocation", "middle");
        axis.put("nameGap", 28);
        axis.put("axisLabel", Map.of("hideOverlap", true));
        axis.put("minorSplitLine", Map.of("show", type.equals("log")));
        return axis;
    }

    private static double round(double value) {
        return Math.abs(value) >= 100 ? Math.rint(value) : Math.rint(value * 1000) / 1000;
    }
}
