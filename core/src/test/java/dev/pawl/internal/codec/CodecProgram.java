package dev.pawl.internal.codec;

import dev.pawl.api.TypeToken;
import java.util.List;
import java.util.concurrent.Callable;

/** Run by {@link CodecClassPathTest} on class paths that it assembles. */
public final class CodecProgram implements Callable<List<String>> {
    record Letter(String to, List<Long> numbers) {}

    @Override
    public List<String> call() {
        DefaultCodec codec = new DefaultCodec();
        return List.of(
                codec.codec().getClass().getSimpleName(),
                tried(codec, "plain \"text\"", TypeToken.of(String.class)),
                tried(codec, new Letter("ada", List.of(1L)), TypeToken.of(Letter.class)));
    }

    private static <T> String tried(DefaultCodec codec, T payload, TypeToken<T> type) {
        try {
            return codec.decode(codec.encode(payload, type), type).equals(payload) ? "same" : "changed";
        } catch (RuntimeException refused) {
            return String.valueOf(refused.getMessage());
        }
    }
}
