package dev.pawl.codec;

import dev.pawl.api.InvalidJobException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Encodes text as UTF-8; refuses invalid text, as enqueues do for plain payloads. */
final class Utf8 {
    private Utf8() {}

    static byte[] bytes(String text) {
        try {
            ByteBuffer buffer = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new InvalidJobException(
                    "the payload holds half of a surrogate pair, which is not valid text: was a string cut in the middle of a"
                            + " character?",
                    e);
        }
    }
}
