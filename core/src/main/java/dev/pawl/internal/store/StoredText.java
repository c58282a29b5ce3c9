package dev.pawl.internal.store;

import dev.pawl.InvalidJobException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Which text every database keeps, and finds again, as it is. */
public final class StoredText {
    /** As many characters as every column for what people are told takes, whatever they are. */
    public static final int LONGEST = 16_384;

    private StoredText() {}

    /**
     * @param what it is, for people
     * @param text to be stored or looked for; null is none
     * @throws InvalidJobException if a database could not keep it
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
     * The same for what people are told.
     *
     * @param what it is, for people
     * @param text to be stored
     * @throws InvalidJobException if a database could not keep it, or it is longer than {@link #LONGEST}
     */
    public static void requireNote(String what, String text) {
        if (text.length() > LONGEST) {
            throw new InvalidJobException(
                    what + " has " + text.length() + " characters, the most is " + LONGEST + ": shorten it");
        }
        require(what, text);
    }
}
