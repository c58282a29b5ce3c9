package dev.pawl.cli;

import java.util.Locale;

/**
 * Escapes text of handlers, remote servers and people for a terminal: characters that move the cursor, change colours
 * or reverse the direction of writing become JSON escapes, so that text within JSON keeps its meaning.
 */
final class TerminalEscapes {
    private TerminalEscapes() {}

    /** {@return the text; keeps line ends and tabs} */
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

    /** {@return the text on one line: line ends and tabs become blanks} */
    static String line(String text) {
        boolean isLine = text.chars().noneMatch(TerminalEscapes::breaksLine);
        return text(isLine ? text : text.replaceAll("\\R|\t", " "));
    }

    private static boolean breaksLine(int c) {
        return c == '\n' || c == '\r' || c == '\t' || c == 0x0B || c == '\f' || c == 0x85 || c == 0x2028 || c == 0x2029;
    }

    private static boolean isHarmful(char c) {
        return (Character.isISOControl(c) && c != '\n' && c != '\t') || turns(c);
    }

    /** Returns whether it is a bidirectional control, which can disguise a text. */
    private static boolean turns(char c) {
        return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    }
}
