package dev.pawl.internal.feature;

import dev.pawl.internal.store.JobStore;

/**
 * A setting that workers read every few seconds. One statement reads all settings.
 *
 * @param source unique among all settings
 * @param about an SQL expression: a text; may be NULL
 * @param name an SQL expression: a text; may be NULL
 * @param number an SQL expression: an integer
 * @param from the rest of the query, from FROM: few rows, read by an index
 * @param reader takes over each row
 */
public record WorkerSetting(String source, String about, String name, String number, String from, Reader reader) {
    /** Takes over a row. */
    @FunctionalInterface
    public interface Reader {
        /**
         * @param row as selected
         * @param settings receive what the row says
         */
        void read(Row row, JobStore.Settings.Builder settings);
    }

    /**
     * A row of a setting.
     *
     * @param about empty if it is NULL
     * @param name empty if it is NULL
     * @param number 0 if it is NULL
     */
    public record Row(String about, String name, long number) {}
}
