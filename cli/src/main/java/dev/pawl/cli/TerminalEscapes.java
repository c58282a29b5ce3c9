package dev.pawl.cli;

import java.util.Locale;

/**
 * What handlers, foreign servers and people have written, as a terminal may show it: what moves the cursor, changes colours or
 * turns the direction of writing is shown as JSON escapes it, so that a text within JSON stays the same.
 */
final class Harmless {
    private Harmless() {}

    /** {@return the text with its lines and tabs} */
    static String text(String text) {
        StringBuilder harmless = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean endsLine = c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n';
            if (isHarmful(c) && !endsLine) {
                harmless = harmless == null ? new StringBuilder(text.substring(0, i)) : harmless;
                harmless.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else if (harmless != null) {
                harmless.append(c);
            }
        }
        return harmless == null ? text : harmless.toString();
    }

    /** {@return the text on one line: each end of a line, and each tab, is a blank} */
    static String line(String text) {
        boolean isLine = text.chars().noneMatch(Harmless::breaksLine);
        return text(isLine ? text : text.replaceAll("\\R|\t", " "));
    }

    private static boolean breaksLine(int c) {
        return c == '\n' || c == '\r' || c == '\t' || c == 0x0B || c == '\f' || c == 0x85 || c == 0x2028 || c == 0x2029;
    }

    private static boolean isHarmful(char c) {
        return (Character.isISOControl(c) && c != '\n' && c != '\t') || turns(c);
    }

    /** Whether it makes the letters after it run the other way, so that a text looks like another one. */
    private static boolean turns(char c) {
        return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    }
}
