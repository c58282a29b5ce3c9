package dev.pawl.internal.jdbc;

import java.util.regex.Pattern;

/**
 * The schema that has the tables: on MySQL and MariaDB a database.
 *
 * @param name as catalogs have it
 * @param quoted as statements name it
 */
public record SchemaName(String name, String quoted) {
    /** Statements have it in quotes, in texts and between placeholders, where these would end it or be taken for something else. */
    private static final Pattern UNUSABLE = Pattern.compile("['\"`\\\\%?:{}\\p{Cntrl}]");

    private static final int LONGEST = 64;

    /** {@return whether statements can name it, see {@link #REQUIREMENT}} */
    public static boolean isUsable(String name) {
        return !name.isBlank()
                && name.length() <= LONGEST
                && !UNUSABLE.matcher(name).find();
    }

    /** What {@link #isUsable} asks for. */
    public static final String REQUIREMENT = "1 to 64 characters, without quotes, backslashes and any of % ? : { }";
}
