package dev.pawl.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.pawl.api.PayloadCodec;
import dev.pawl.api.TypeToken;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Type;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Error messages do not quote encrypted payloads. */
class RedactionTest {
    private static final String SECRET = "TOPSECRETX";
    private static final SecretKey KEY = new SecretKeySpec(new byte[32], "AES");

    enum Color {
        RED
    }

    record Paint(Color color) {}

    record Shelf(List<Paint> paints, Map<String, Integer> prices, LocalDate since) {}

    record Checked(String name) {
        Checked {
            throw new IllegalArgumentException("no such name: " + name);
        }
    }

    /** A payload that cannot be encoded. */
    public static final class Secretive {
        /** {@return nothing, because it always throws} */
        @SuppressWarnings("DoNotCallSuggester") // called by Jackson
        public String getName() {
            throw new IllegalStateException("cannot be told: " + SECRET);
        }
    }

    /** A codec without Jackson whose errors quote what it has read. */
    private static final class Own implements PayloadCodec {
        @Override
        public <T> String encode(T payload, TypeToken<T> type) {
            throw new IllegalStateException("no way to write " + payload);
        }

        @Override
        public <T> T decode(String text, TypeToken<T> type) {
            throw new AssertionError("no way to read " + text, new IllegalArgumentException(text));
        }

        @Override
        public String identity(String text) {
            throw new IllegalStateException("no way to compare " + text);
        }
    }

    static Stream<PayloadCodec> codecs() {
        return Stream.of(new JacksonCodec(), new Jackson2Codec())
                .flatMap(inner -> Stream.of(inner, new CompressedCodec(inner, 1), EncryptedCodec.of(inner, "i", KEY)));
    }

    private static String everything(Throwable error) {
        StringWriter all = new StringWriter();
        error.printStackTrace(new PrintWriter(all, true));
        for (Throwable each = error; each != null; each = each.getCause()) {
            all.append(each.getMessage()).append(String.valueOf(each.getLocalizedMessage()));
        }
        return all.toString();
    }

    private static Throwable read(PayloadCodec inner, String json, Type type) {
        EncryptedCodec codec = EncryptedCodec.of(inner, "k", KEY);
        String text = EncryptedCodec.of(new Plain(), "k", KEY).encode(json, TypeToken.of(String.class));
        Throwable error = catchThrowable(() -> codec.decode(text, TypeToken.of((Class<?>) type)));
        assertThat(error).isInstanceOf(IllegalArgumentException.class);
        assertThat(everything(error)).doesNotContain(SECRET);
        return error;
    }

    /** Encodes a text as it is. */
    private static final class Plain implements PayloadCodec {
        @Override
        public <T> String encode(T payload, TypeToken<T> type) {
            return payload.toString();
        }

        @Override
        @SuppressWarnings("unchecked")
        public <T> T decode(String text, TypeToken<T> type) {
            return (T) text;
        }
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void unreadablePayloadsAreNotQuoted(PayloadCodec inner) {
        assertThat(read(inner, "{\"color\":\"" + SECRET + "\"}", Paint.class))
                .hasMessageContaining("Color")
                .hasMessageContaining("Paint.color");
        assertThat(read(inner, "{\"paints\":[{},{\"color\":\"" + SECRET + "\"}]}", Shelf.class))
                .hasMessageContaining("Shelf.paints[1].color");
        assertThat(read(inner, "{\"prices\":{\"" + SECRET + "\":\"many\"}}", Shelf.class))
                .as("the keys of a map are content")
                .hasMessageContaining("Shelf.prices.…");
        assertThat(read(inner, "{\"prices\":{\"a\":\"" + SECRET + "\"}}", Shelf.class))
                .hasMessageContaining("Integer");
        assertThat(read(inner, "{\"since\":\"" + SECRET + "\"}", Shelf.class)).hasMessageContaining("Shelf.since");
        read(inner, "{\"since\":" + SECRET + "}", Shelf.class);
        read(inner, SECRET, Paint.class);
        read(inner, "{\"color\":\"" + SECRET, Paint.class);
        read(inner, "{\"name\":\"" + SECRET + "\"}", Checked.class);
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void unwritablePayloadsAreNotQuoted(PayloadCodec inner) {
        Throwable error = catchThrowable(
                () -> EncryptedCodec.of(inner, "k", KEY).encode(new Secretive(), TypeToken.of(Secretive.class)));
        assertThat(error).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("Secretive");
        assertThat(everything(error)).doesNotContain(SECRET).contains("getName");
    }

    @ParameterizedTest
    @MethodSource("wrapped")
    void errorsOfCustomCodecsAreNotQuoted(PayloadCodec inner) {
        EncryptedCodec codec = EncryptedCodec.of(inner, "k", KEY);
        TypeToken<String> text = TypeToken.of(String.class);
        for (Throwable error : List.of(
                catchThrowable(() -> codec.encode(SECRET, text)),
                catchThrowable(() -> codec.decode(SECRET, text)),
                catchThrowable(() -> codec.identity(SECRET)))) {
            assertThat(error).isInstanceOf(IllegalArgumentException.class);
            assertThat(everything(error)).doesNotContain(SECRET);
        }
    }

    static Stream<PayloadCodec> wrapped() {
        return Stream.of(new Own(), new CompressedCodec(new Own(), 1), EncryptedCodec.of(new Own(), "i", KEY));
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void malformedKeyNamesAreNotQuoted(PayloadCodec inner) {
        Throwable error = catchThrowable(() -> EncryptedCodec.of(inner, "k", KEY)
                .decode("pawl:aes-gcm:" + SECRET + " and more:", TypeToken.of(String.class)));
        assertThat(error).isInstanceOf(IllegalArgumentException.class);
        assertThat(everything(error)).doesNotContain(SECRET);
    }
}
