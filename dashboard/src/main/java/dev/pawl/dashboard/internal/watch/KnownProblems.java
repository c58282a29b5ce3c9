package dev.pawl.dashboard.internal.watch;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is wrong as far as it is known, as it is kept in the database between rounds: a line for each, of words between tabs. Bounded.
 */
final class Known {
    static final int MOST_OF_RULE = 100;
    private static final int WORDS = 6;

    private Known() {}

    /**
     * Something that is wrong.
     *
     * @param rule that has found it
     * @param subject what it is about
     * @param text for people
     * @param first when it was seen first
     * @param last when it was seen last
     * @param isTold whether somebody has been told
     */
    record Entry(String rule, String subject, String text, Instant first, Instant last, boolean isTold) {
        String key() {
            return rule + "\t" + subject;
        }

        Entry told() {
            return new Entry(rule, subject, text, first, last, true);
        }

        Entry seen(Instant now, String nowText) {
            return new Entry(rule, subject, nowText, first, now, isTold);
        }
    }

    static Map<String, Entry> read(String state) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (String line : state.split("\n", -1)) {
            String[] words = line.split("\t", -1);
            if (words.length >= WORDS) {
                Entry entry = new Entry(
                        words[0],
                        words[1],
                        words[5],
                        Instant.ofEpochMilli(Long.parseLong(words[2])),
                        Instant.ofEpochMilli(Long.parseLong(words[3])),
                        words[4].equals("1"));
                entries.put(entry.key(), entry);
            }
        }
        return entries;
    }

    static String write(Map<String, Entry> entries) {
        StringBuilder state = new StringBuilder();
        entries.values()
                .forEach(entry -> state.append(word(entry.rule))
                        .append('\t')
                        .append(word(entry.subject))
                        .append('\t')
                        .append(entry.first.toEpochMilli())
                        .append('\t')
                        .append(entry.last.toEpochMilli())
                        .append('\t')
                        .append(entry.isTold ? 1 : 0)
                        .append('\t')
                        .append(word(entry.text))
                        .append('\n'));
        return state.toString();
    }

    private static String word(String text) {
        return text.replaceAll("[\\p{Cc}\\p{Zl}\\p{Zp}]", " ");
    }
}
