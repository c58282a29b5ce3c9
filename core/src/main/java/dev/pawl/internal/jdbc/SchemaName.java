package dev.pawl.internal.jdbc;

import java.util.regex.Pattern;

/**
 * The schema that has the tables: on MySQL and MariaDB a database.
 *
 * @param name as in catalogs
 * @param quoted as in statements
 */
public record SchemaName(String name, String quoted) {
    /**
     * Statements contain the name in quotes, in texts and between placeholders, where these characters would end the name or have another
     * meaning.
     */
    private static final Pattern UNUSABLE = Pattern.compile("['\"`\\\\%?:{}\\p{Cntrl}]");

    private static final int LONGEST = 64;

    /** {@return whether statements can name it, see {@link #REQUIREMENT}} */
    public static boolean isUsable(String name) {
        return !name.isBlank()
                && name.length() <= LONGEST
                && !UNUSABLE.matcher(name).find();
    }

    /** The rule of {@link #isUsable}, for messages. */
    public static final String REQUIREMENT = "1 to 64 characters, without quotes, backslashes and any of % ? : { }";
}
