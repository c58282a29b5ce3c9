package dev.pawl.lab.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/** A report as one page with its charts: it includes the drawing library, so it needs no network and can be passed on. */
final class HtmlPage {
    private static final String ECHARTS = "/META-INF/resources/webjars/echarts/5.5.0/echarts.min.js";
    private static final Pattern PLACE = Pattern.compile("@([A-Z]+)@");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private HtmlPage() {}

    static String of(Report report) {
        StringBuilder body = new StringBuilder();
        StringBuilder contents = new StringBuilder();
        int charts = 0;
        StringBuilder options = new StringBuilder();
        for (Report.Section section : report.sections()) {
            String anchor = section.title().toLowerCase(java.util.Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
            contents.append("<a href=\"#" + anchor + "\">" + escaped(section.title()) + "</a>\n");
            body.append("<section id=\"" + anchor + "\"><h2>" + escaped(section.title()) + "</h2>\n<p>"
                    + escaped(section.prose()) + "</p>\n");
            section.tables().forEach(table -> append(table, body));
            for (Report.Chart chart : section.charts()) {
                body.append("<figure><figcaption>" + escaped(chart.caption())
                        + "</figcaption><div class=\"chart\" id=\"chart-" + charts + "\" style=\"height:"
                        + chart.height()
                        + "px\"></div></figure>\n");
                options.append(charts == 0 ? "" : ",\n").append(scriptSafe(JSON.writeValueAsString(chart.option())));
                charts++;
            }
            body.append("</section>\n");
        }
        return filled(
                resource("report.html"),
                Map.of(
                        "TITLE", escaped(report.title()),
                        "CONTENTS", contents.toString(),
                        "BODY", body.toString(),
                        "OPTIONS", options.toString(),
                        "ECHARTS", resource(ECHARTS).replace("</script", "<\\/script")));
    }

    /** In one pass, because inserted text may contain placeholders. */
    private static String filled(String page, Map<String, String> places) {
        return PLACE.matcher(page)
                .replaceAll(place -> Matcher.quoteReplacement(places.getOrDefault(place.group(1), place.group())));
    }

    private static void append(Report.Table table, StringBuilder body) {
        body.append("<div class=\"wide\"><table><caption>" + escaped(table.caption()) + "</caption><thead><tr>");
        table.head().forEach(head -> body.append("<th>" + escaped(head) + "</th>"));
        body.append("</tr></thead><tbody>\n");
        table.rows().forEach(row -> append(row, body));
        body.append("</tbody></table></div>\n");
    }

    private static void append(List<String> row, StringBuilder body) {
        body.append("<tr>");
        for (int column = 0; column < row.size(); column++) {
            String cell = row.get(column);
            boolean number = column > 0 && !cell.isEmpty() && cell.length() < 20 && Character.isDigit(cell.charAt(0));
            String kind = number ? " class=\"number\"" : cell.length() > 60 ? " class=\"long\"" : "";
            body.append(column == 0 ? "<th scope=\"row\"" : "<td").append(kind).append('>');
            body.append(escaped(cell)).append(column == 0 ? "</th>" : "</td>");
        }
        body.append("</tr>\n");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** Data from result files must not end the script that contains them. */
    private static String scriptSafe(String json) {
        return json.replace("<", "\\u003c");
    }

    private static String resource(String name) {
        try (InputStream input = HtmlPage.class.getResourceAsStream(name)) {
            if (input == null) {
                throw new IllegalStateException("the program lacks its file " + name + ": build it again");
            }
            return new String(input.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
