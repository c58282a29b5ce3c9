package dev.pawl;

/**
 * Turns payloads into text and back. The default is JSON, by whichever Jackson is on the class path:
 * {@link dev.pawl.codec.JacksonCodec Jackson 3} if it works, else {@link dev.pawl.codec.Jackson2Codec Jackson 2};
 * without either, payloads can only be strings. {@link JobQueueBuilder#codec} takes one of them with a mapper of your
 * own, or another implementation.
 *
 * <p>Implementations must be thread-safe. What a codec writes must stay readable by later versions of the program: jobs
 * outlive deployments.
 */
public interface PayloadCodec {
    /**
     * @param payload the value to store
     * @param type the type that its {@link JobType} declares
     * @param <T> the payload
     * @return its text, without NUL characters
     * @throws InvalidJobException if it cannot be encoded
     */
    <T> String encode(T payload, TypeToken<T> type);

    /**
     * @param text what {@link #encode} wrote, perhaps in another version or language
     * @param type the type that its {@link JobType} declares
     * @param <T> the payload
     * @return the value
     * @throws InvalidJobException if the text does not fit the type
     */
    <T> T decode(String text, TypeToken<T> type);

    /**
     * What makes a payload equal to another, for {@link EnqueueOptions#uniqueByPayload()}. By default the text itself; codecs that
     * write the same payload in different ways (encryption does) say here what stays the same.
     *
     * @param text what {@link #encode} wrote
     * @return a text that is the same for equal payloads
     */
    default String identity(String text) {
        return text;
    }
}
