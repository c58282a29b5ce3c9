package dev.pawl;

/**
 * Turns payloads into text and back. The default is JSON by Jackson 3. Implementations must be thread-safe. What a codec
 * writes must stay readable by later versions of the program: jobs outlive deployments.
 */
public interface PayloadCodec {
    /**
     * @param payload the value to store
     * @return its text, without NUL characters
     * @throws InvalidJobException if it cannot be encoded
     */
    String encode(Object payload);

    /**
     * @param text what {@link #encode} wrote, perhaps in another version or language
     * @param type the wanted type
     * @param <T> the payload
     * @return the value
     * @throws InvalidJobException if the text does not fit the type
     */
    <T> T decode(String text, Class<T> type);
}
