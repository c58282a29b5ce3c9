package dev.pawl.cli;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Text that is broken into lines between its words. Confined to one thread. */
final class HelpText {
    /** A row of a small table within a description: a name, at least two blanks, and what it means. */
    private static final Pattern ROW = Pattern.compile("( *\\S+(?: \\S+)* {2,})\\S.*");

    private static final String INDENT = "  ";

    private final int width;
    private final StringBuilder text = new StringBuilder();

    /** @param width maximum width of a line, in columns */
    HelpText(int width) {
        this.width = width;
    }

    void line(String line) {
        text.append(line).append('\n');
    }

    /** {@return whether a line begins a row, or is indented, so that it does not continue the one before it} */
    static boolean isRow(String line) {
        return line.startsWith(" ") || ROW.matcher(line).matches();
    }

    /** {@return the blanks before the second and later lines: the indentation of a paragraph, or the column of a row's description} */
    static String indent(String paragraph) {
        Matcher row = ROW.matcher(paragraph);
        int blanks = row.matches()
                ? row.group(1).length()
                : paragraph.length() - paragraph.stripLeading().length();
        return " ".repeat(blanks);
    }

    /** @param indent of all lines except the first */
    void wrap(String paragraph, String indent) {
        wrap("", paragraph, indent);
    }

    /**
     * Appends rows of a name and its description, aligned.
     *
     * @param longest maximum length of a name that has its description on the same line; the description of a longer name begins on the
     *     next line
     */
    void rows(Map<String, String> rows, int longest) {
        int column = rows.keySet().stream()
                .mapToInt(String::length)
                .filter(length -> length <= longest)
                .max()
                .orElse(longest);
        String indent = " ".repeat(INDENT.length() + column + INDENT.length());
        rows.forEach((name, description) -> {
            boolean fits = name.length() <= column;
            if (!fits) {
                line(INDENT + name);
            }
            wrap(fits ? INDENT + name + " ".repeat(column - name.length()) + INDENT : indent, description, indent);
        });
    }

    private void wrap(String start, String paragraph, String indent) {
        StringBuilder line = new StringBuilder(start);
        boolean isFirst = true;
        Matcher row = ROW.matcher(paragraph);
        String rest = paragraph;
        if (start.isEmpty() && row.matches()) {
            line.append(row.group(1)); // keeps its blanks
            rest = paragraph.substring(row.end(1));
        } else if (start.isEmpty()) {
            line.append(" ".repeat(paragraph.length() - paragraph.stripLeading().length()));
        }
        for (String word : rest.strip().split(" +", -1)) {
            if (!isFirst && line.length() + 1 + word.length() > width) {
                line(line.toString());
                line = new StringBuilder(indent).append(word);
            } else {
                line.append(isFirst ? "" : " ").append(word);
            }
            isFirst = false;
        }
        line(line.toString().stripTrailing());
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
