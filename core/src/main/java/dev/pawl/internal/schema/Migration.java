package dev.pawl.internal.schema;

import java.util.Arrays;
import java.util.List;

/**
 * One numbered step of the schema.
 *
 * @param version from 1, without gaps
 * @param name what it does
 * @param script plain SQL; a statement ends with the last semicolon of a line, which only a comment may
 *     follow
 */
public record Migration(int version, String name, String script) {
    /** {@return the statements, in order} */
    public List<String> statements() {
        return Arrays.stream(script.split(";[ \\t]*(--.*)?(\\R|$)"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    /** {@return the file name that Flyway expects} */
    public String fileName() {
        return "V" + version + "__" + name + ".sql";
    }
}
