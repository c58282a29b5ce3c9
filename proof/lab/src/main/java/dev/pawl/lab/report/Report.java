package dev.pawl.lab.report;

import java.util.List;
import java.util.Map;

/**
 * The content of a report, before it becomes a page or text.
 *
 * @param title of the report
 * @param sections in order
 */
record Report(String title, List<Section> sections) {
    /**
     * A part.
     *
     * @param title its heading
     * @param prose how to read it
     * @param tables before the charts
     * @param charts after the tables
     */
    record Section(String title, String prose, List<Table> tables, List<Chart> charts) {
        boolean isEmpty() {
            return tables.isEmpty() && charts.isEmpty();
        }
    }

    /**
     * A table of text; cells that begin with a digit are right-aligned.
     *
     * @param caption above it
     * @param head of the columns
     * @param rows with the same number of cells each
     */
    record Table(String caption, List<String> head, List<List<String>> rows) {}

    /**
     * A chart.
     *
     * @param caption above it
     * @param option for ECharts
     * @param height in pixels
     */
    record Chart(String caption, Map<String, Object> option, int height) {}
}
