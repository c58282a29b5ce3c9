package dev.pawl.api;

/**
 * Turns payloads into text and back. The default is JSON: {@link dev.pawl.codec.JacksonCodec Jackson 3} if it is on the
 * class path and works, otherwise {@link dev.pawl.codec.Jackson2Codec Jackson 2}; without either, payloads can only be
 * strings. {@link dev.pawl.JobQueueBuilder#codec} takes one of these with your own mapper, or another implementation.
 *
 * <p>Implementations must be thread-safe. Later versions of the program must be able to read the text, because jobs
 * outlive deployments.
 */
public interface PayloadCodec {
    /**
     * Encodes a payload.
     *
     * @param payload the value to store
     * @param type the type that its {@link JobType} declares
     * @param <T> the payload
     * @return its text, without NUL characters
     * @throws InvalidJobException if it cannot be encoded
     */
    <T> String encode(T payload, TypeToken<T> type);

    /**
     * Decodes a payload.
     *
     * @param text the output of {@link #encode}, possibly of another version of the program or of a program in another language
     * @param type the type that its {@link JobType} declares
     * @param <T> the payload
     * @return the value
     * @throws InvalidJobException if the text does not fit the type
     */
    <T> T decode(String text, TypeToken<T> type);

    /**
     * Returns the identity of a payload for {@link EnqueueOptions#uniqueByPayload()}. By default the text itself. A
     * codec that may write equal payloads as different texts (encryption does) must override this.
     *
     * @param text the output of {@link #encode}
     * @return a text that is equal for equal payloads
     */
    default String identity(String text) {
        return text;
    }
}
