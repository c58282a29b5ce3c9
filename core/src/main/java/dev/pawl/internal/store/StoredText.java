package dev.pawl.internal.store;

import dev.pawl.api.InvalidJobException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Checks that every database can store a text unchanged. */
public final class StoredText {
    /** Maximum length in characters, which fits every column for notes. */
    public static final int LONGEST = 16_384;

    private StoredText() {}

    /**
     * @param what it is, for people
     * @param text to be stored or searched for; null is valid
     * @throws InvalidJobException if a database could not store it
     */
    public static void require(String what, @Nullable String text) {
        if (text == null) {
            return;
        }
        if (text.indexOf('\0') >= 0) {
            throw new InvalidJobException(what + " holds a NUL character, which PostgreSQL cannot store");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new InvalidJobException(
                    what
                            + " holds half of a surrogate pair, which is not valid text: was a string cut in the middle of a character?");
        }
    }

    /**
     * Checks a note.
     *
     * @param what it is, for people
     * @param text to be stored
     * @throws InvalidJobException if a database could not store it, or it is longer than {@link #LONGEST}
     */
    public static void requireNote(String what, String text) {
        if (text.length() > LONGEST) {
            throw new InvalidJobException(
                    what + " has " + text.length() + " characters, the maximum is " + LONGEST + ": shorten it");
        }
        require(what, text);
    }
}
