package dev.pawl.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.InvalidJobException;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.TypeToken;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** Codecs that wrap another codec. */
class WrappedCodecsTest {
    private static final TypeToken<List<String>> NAMES = new TypeToken<>() {};
    private static final List<String> PEOPLE = List.of("Ann", "Bj\u00f8rn", "\u674e");
    private static final PayloadCodec JSON = new JacksonCodec();

    private static SecretKey key(int seed) {
        byte[] bytes = new byte[32];
        java.util.Arrays.fill(bytes, (byte) seed);
        return new SecretKeySpec(bytes, "AES");
    }

    @Test
    void encryptedPayloadsNeedTheirKey() {
        EncryptedCodec codec = EncryptedCodec.of(JSON, "2026", key(1));
        String text = codec.encode(PEOPLE, NAMES);
        assertThat(text).startsWith("pawl:aes-gcm:2026:").doesNotContain("Ann");
        assertThat(codec.decode(text, NAMES)).isEqualTo(PEOPLE);
        assertThat(codec.encode(PEOPLE, NAMES)).as("never the same twice").isNotEqualTo(text);
        assertThatThrownBy(() -> EncryptedCodec.of(JSON, "2026", key(2)).decode(text, NAMES))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("another key of the name '2026'");
        assertThatThrownBy(() -> EncryptedCodec.of(JSON, "2027", key(1)).decode(text, NAMES))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("key '2026'")
                .hasMessageContaining("reading(");
    }

    @Test
    void keysCanBeRotated() {
        String old = EncryptedCodec.of(JSON, "2026", key(1)).encode(PEOPLE, NAMES);
        EncryptedCodec both = EncryptedCodec.of(JSON, "2027", key(2)).reading("2026", key(1));
        assertThat(both.decode(old, NAMES)).isEqualTo(PEOPLE);
        assertThat(both.encode(PEOPLE, NAMES)).startsWith("pawl:aes-gcm:2027:");
        assertThatThrownBy(() -> both.reading("2026", key(3))).isInstanceOf(InvalidJobException.class);
    }

    @Test
    void tamperedPayloadsAreRefused() {
        EncryptedCodec codec = EncryptedCodec.of(JSON, "k", key(1));
        String text = codec.encode(PEOPLE, NAMES);
        for (int place = 0; place < text.length(); place++) {
            char other = text.charAt(place) == 'A' ? 'B' : 'A';
            String changed = text.substring(0, place) + other + text.substring(place + 1);
            if (!sameBytes(text, changed)) {
                assertThatThrownBy(() -> codec.refusingPlainText().decode(changed, NAMES))
                        .as("place %d", place)
                        .isInstanceOf(InvalidJobException.class);
            }
        }
        for (String broken : List.of("pawl:aes-gcm:", "pawl:aes-gcm:k", "pawl:aes-gcm:k:", "pawl:aes-gcm:k:AAAA")) {
            assertThatThrownBy(() -> codec.decode(broken, NAMES)).isInstanceOf(InvalidJobException.class);
        }
    }

    /** Decodes before comparing, because the last character of Base64 may have unused bits. */
    private static boolean sameBytes(String one, String other) {
        try {
            return one.startsWith(other.substring(0, "pawl:aes-gcm:k:".length()))
                    && java.util.Arrays.equals(
                            Base64.getDecoder().decode(one.substring(15)),
                            Base64.getDecoder().decode(other.substring(15)));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Test
    void earlierPlainTextIsReadUntilItIsRefused() {
        EncryptedCodec codec = EncryptedCodec.of(JSON, "k", key(1));
        String before = JSON.encode(PEOPLE, NAMES);
        assertThat(codec.decode(before, NAMES)).isEqualTo(PEOPLE);
        assertThatThrownBy(() -> codec.refusingPlainText().decode(before, NAMES))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("not encrypted");
    }

    @Test
    void equalPayloadsAreEqualButOnlyWithTheKey() {
        EncryptedCodec codec = EncryptedCodec.of(JSON, "k", key(1));
        String one = codec.identity(codec.encode(PEOPLE, NAMES));
        assertThat(codec.identity(codec.encode(PEOPLE, NAMES))).isEqualTo(one);
        assertThat(codec.identity(codec.encode(List.of("Eve"), NAMES))).isNotEqualTo(one);
        EncryptedCodec other = EncryptedCodec.of(JSON, "k", key(2));
        assertThat(other.identity(other.encode(PEOPLE, NAMES))).isNotEqualTo(one);
    }

    @Test
    void equalPayloadsStayEqualWhenTheKeyIsRotated() {
        EncryptedCodec before = EncryptedCodec.of(JSON, "2026", key(1));
        EncryptedCodec after =
                EncryptedCodec.of(JSON, "2027", key(2)).reading("2026", key(1)).identityBy(key(1));
        assertThat(after.identity(after.encode(PEOPLE, NAMES)))
                .isEqualTo(before.identity(before.encode(PEOPLE, NAMES)));
    }

    @Test
    void invalidTextIsRefused() {
        List<String> half = List.of("x".repeat(2_000) + "\ud83d");
        PayloadCodec raw = new PayloadCodec() {
            @Override
            public <T> String encode(T payload, TypeToken<T> type) {
                return String.valueOf(payload);
            }

            @Override
            public <T> T decode(String text, TypeToken<T> type) {
                throw new UnsupportedOperationException();
            }
        };
        assertThatThrownBy(() -> EncryptedCodec.of(raw, "k", key(1)).encode(half, NAMES))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("surrogate");
        assertThatThrownBy(() -> new CompressedCodec(raw).encode(half, NAMES))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("surrogate");
    }

    /** Otherwise decoding would try to decompress it. */
    @Test
    void aShortTextThatLooksCompressedIsCompressed() {
        TypeToken<String> text = TypeToken.of(String.class);
        PayloadCodec raw = new PayloadCodec() {
            @Override
            public <T> String encode(T payload, TypeToken<T> type) {
                return String.valueOf(payload);
            }

            @Override
            @SuppressWarnings("unchecked")
            public <T> T decode(String stored, TypeToken<T> type) {
                return (T) stored;
            }
        };
        CompressedCodec codec = new CompressedCodec(raw);
        assertThat(codec.decode(codec.encode("pawl:gzip:x", text), text)).isEqualTo("pawl:gzip:x");
    }

    @Test
    void badKeysAreRefused() {
        assertThatThrownBy(() -> EncryptedCodec.of(JSON, "a:b", key(1))).isInstanceOf(InvalidJobException.class);
        assertThatThrownBy(() -> EncryptedCodec.of(JSON, "k", new SecretKeySpec(new byte[5], "AES")))
                .isInstanceOf(InvalidJobException.class);
        assertThatThrownBy(() -> EncryptedCodec.of(JSON, "k", new SecretKeySpec(new byte[32], "HmacSHA256")))
                .isInstanceOf(InvalidJobException.class);
    }

    @Test
    void longPayloadsAreCompressedIfThatMakesThemShorter() {
        CompressedCodec codec = new CompressedCodec(JSON);
        List<String> many = java.util.Collections.nCopies(5_000, "the same");
        String text = codec.encode(many, NAMES);
        assertThat(text).startsWith("pawl:gzip:").hasSizeLessThan(1_000);
        assertThat(codec.decode(text, NAMES)).isEqualTo(many);
        assertThat(codec.encode(PEOPLE, NAMES)).isEqualTo(JSON.encode(PEOPLE, NAMES));
        assertThat(codec.decode(JSON.encode(many, NAMES), NAMES)).isEqualTo(many);
        assertThat(codec.identity(text)).isEqualTo(JSON.encode(many, NAMES));
        byte[] noise = new byte[3_000];
        new java.util.Random(1).nextBytes(noise);
        List<String> noisy = List.of(Base64.getEncoder().encodeToString(noise));
        assertThat(codec.encode(noisy, NAMES)).startsWith("[");
        assertThatThrownBy(() -> codec.decode("pawl:gzip:AAAA", NAMES)).isInstanceOf(InvalidJobException.class);
    }

    /** A long run of equal bytes compresses so well that a small payload could fill the memory when it is decompressed. */
    @Test
    void decompressionIsBounded() throws Exception {
        var bytes = new java.io.ByteArrayOutputStream();
        try (var packed = new java.util.zip.GZIPOutputStream(bytes)) {
            byte[] zeros = " ".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < 65; i++) {
                packed.write(zeros);
            }
        }
        String bomb = "pawl:gzip:" + Base64.getEncoder().encodeToString(bytes.toByteArray());
        assertThatThrownBy(() -> new CompressedCodec(JSON).decode(bomb, NAMES))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("decompressed");
    }

    @Test
    void bothTogether() {
        PayloadCodec codec = EncryptedCodec.of(new CompressedCodec(JSON), "k", key(1));
        List<String> many = java.util.Collections.nCopies(5_000, "the same");
        String text = codec.encode(many, NAMES);
        assertThat(text).startsWith("pawl:aes-gcm:k:").hasSizeLessThan(1_500);
        assertThat(codec.decode(text, NAMES)).isEqualTo(many);
        assertThat(codec.identity(text)).isEqualTo(codec.identity(codec.encode(many, NAMES)));
    }
}
