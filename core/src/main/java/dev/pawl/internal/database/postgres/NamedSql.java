package dev.pawl.internal.database.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement with named values, because some of them occur several times.
 *
 * @param text the statement with question marks
 * @param names the names of the values, one for each question mark
 */
record NamedSql(String text, List<String> names) {
    private static final Pattern NAME = Pattern.compile("(?<!:):([a-z]+)");

    static NamedSql of(String sql) {
        List<String> names = new ArrayList<>();
        Matcher matcher = NAME.matcher(sql);
        String text = matcher.replaceAll(name -> {
            names.add(name.group(1));
            return "?";
        });
        return new NamedSql(text, List.copyOf(names));
    }
}
