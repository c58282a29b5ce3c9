package dev.pawl.internal.schema;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A migration: one numbered step of the schema.
 *
 * @param version from 1, without gaps
 * @param name what the step does
 * @param script plain SQL; a statement ends with a semicolon at the end of a line; a comment may follow on that line
 */
public record Migration(int version, String name, String script) {
    private static final Pattern WORKS_FROM =
            Pattern.compile("applied_at, works_from\\)\\s+VALUES \\(\\d+, '\\w+', .*, (\\d+)\\);");

    /** {@return the lowest version that a program must know to use the tables after this step, as the script's last statement says} */
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

    /** {@return the file name of the resource} */
    public String fileName() {
        return "V" + version + "__" + name + ".sql";
    }
}
