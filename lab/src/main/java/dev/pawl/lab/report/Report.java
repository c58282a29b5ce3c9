package dev.pawl.lab.report;

import java.util.List;
import java.util.Map;

/**
 * What to show, before it becomes a page or text.
 *
 * @param title of all
 * @param sections in order
 */
record Report(String title, List<Section> sections) {
    /**
     * A part.
     *
     * @param title its heading
     * @param prose a sentence or more on how to read it
     * @param tables come first
     * @param charts come after them
     */
    record Section(String title, String prose, List<Table> tables, List<Chart> charts) {
        boolean isEmpty() {
            return tables.isEmpty() && charts.isEmpty();
        }
    }

    /**
     * A table of text; cells that begin with a digit are aligned to the right.
     *
     * @param caption over it
     * @param head of the columns
     * @param rows as many cells each
     */
    record Table(String caption, List<String> head, List<List<String>> rows) {}

    /**
     * A chart.
     *
     * @param caption over it
     * @param option what ECharts draws
     * @param height in pixels
     */
    record Chart(String caption, Map<String, Object> option, int height) {}
}
