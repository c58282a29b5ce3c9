package dev.pawl.dashboard.internal.watch;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** The text in which known problems are stored between rounds: a line for each, with fields separated by tabs. */
final class KnownProblems {
    /** Maximum number of known problems of one rule; {@link AlertRounds} ensures it. */
    static final int MAX_OF_RULE = 100;

    private static final int FIELDS = 6;

    private KnownProblems() {}

    /**
     * A problem.
     *
     * @param rule that detected it
     * @param subject affected by it
     * @param text for people
     * @param first when it was first seen
     * @param last when it was last seen
     * @param isReported whether it was reported
     */
    record Entry(String rule, String subject, String text, Instant first, Instant last, boolean isReported) {
        String key() {
            return rule + "\t" + subject;
        }

        Entry reported() {
            return new Entry(rule, subject, text, first, last, true);
        }

        Entry seen(Instant now, String nowText) {
            return new Entry(rule, subject, nowText, first, now, isReported);
        }
    }

    static Map<String, Entry> read(String state) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (String line : state.split("\n", -1)) {
            String[] fields = line.split("\t", -1);
            if (fields.length >= FIELDS) {
                Entry entry = new Entry(
                        fields[0],
                        fields[1],
                        fields[5],
                        Instant.ofEpochMilli(Long.parseLong(fields[2])),
                        Instant.ofEpochMilli(Long.parseLong(fields[3])),
                        fields[4].equals("1"));
                entries.put(entry.key(), entry);
            }
        }
        return entries;
    }

    static String write(Map<String, Entry> entries) {
        StringBuilder state = new StringBuilder();
        entries.values()
                .forEach(entry -> state.append(field(entry.rule))
                        .append('\t')
                        .append(field(entry.subject))
                        .append('\t')
                        .append(entry.first.toEpochMilli())
                        .append('\t')
                        .append(entry.last.toEpochMilli())
                        .append('\t')
                        .append(entry.isReported ? 1 : 0)
                        .append('\t')
                        .append(field(entry.text))
                        .append('\n'));
        return state.toString();
    }

    private static String field(String text) {
        return text.replaceAll("[\\p{Cc}\\p{Zl}\\p{Zp}]", " ");
    }
}
