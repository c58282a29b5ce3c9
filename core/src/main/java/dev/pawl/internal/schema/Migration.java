package dev.pawl.internal.schema;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One numbered step of the schema.
 *
 * @param version from 1, without gaps
 * @param name what it does
 * @param script plain SQL; a statement ends with the last semicolon of a line, which only a comment may
 *     follow
 */
public record Migration(int version, String name, String script) {
    private static final Pattern WORKS_FROM =
            Pattern.compile("applied_at, works_from\\)\\s+VALUES \\(\\d+, '\\w+', .*, (\\d+)\\);");

    /** {@return the oldest step that a program must know to go on working when this one is taken, as its last statement says} */
    public int worksFrom() {
        Matcher last = WORKS_FROM.matcher(script);
        return last.find() ? Integer.parseInt(last.group(1)) : 1;
    }

    /** {@return the statements, in order} */
    public List<String> statements() {
        return Arrays.stream(script.split(";[ \\t]*(--.*)?(\\R|$)"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    /** {@return the name of its resource} */
    public String fileName() {
        return "V" + version + "__" + name + ".sql";
    }
}
