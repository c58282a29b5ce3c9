package dev.pawl.codec;

import dev.pawl.api.InvalidJobException;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.TypeToken;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Compresses long payloads (gzip, as text) if that makes them shorter; also reads payloads that are not compressed.
 * Searches do not find text in compressed payloads. To encrypt as well, wrap this codec in an {@link EncryptedCodec}.
 * Thread-safe.
 */
public final class CompressedCodec implements PayloadCodec {
    private static final String START = "pawl:gzip:";
    private static final int LONG_ENOUGH = 1_000;
    /**
     * The maximum size of a decompressed payload. It is needed because a few compressed bytes can expand to gigabytes.
     */
    private static final int MAX_BYTES = 64 << 20;

    private final PayloadCodec inner;
    private final int longEnough;

    /**
     * Compresses payloads of 1,000 characters and more.
     *
     * @param inner encodes payloads, such as a {@link JacksonCodec}
     */
    public CompressedCodec(PayloadCodec inner) {
        this(inner, LONG_ENOUGH);
    }

    /**
     * Compresses payloads of a given length and more.
     *
     * @param inner encodes payloads, such as a {@link JacksonCodec}
     * @param longEnough the minimum length of compressed payloads in characters
     */
    public CompressedCodec(PayloadCodec inner, int longEnough) {
        this.inner = Objects.requireNonNull(inner);
        this.longEnough = longEnough;
    }

    @Override
    public <T> String encode(T payload, TypeToken<T> type) {
        String text = inner.encode(payload, type);
        boolean misleads = text.startsWith(START); // decoding would try to decompress it
        if (text.length() < longEnough && !misleads) {
            return text;
        }
        byte[] plain = Utf8.bytes(text);
        if (plain.length >= MAX_BYTES) {
            throw new InvalidJobException(
                    "the payload has " + plain.length + " bytes before it is compressed: use less than " + MAX_BYTES);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
            packed.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // unreachable: the stream is in memory
        }
        String shorter = START + Base64.getEncoder().withoutPadding().encodeToString(bytes.toByteArray());
        return misleads || shorter.length() < text.length() ? shorter : text;
    }

    @Override
    public <T> T decode(String text, TypeToken<T> type) {
        return inner.decode(plain(text), type);
    }

    private static String plain(String text) {
        if (!text.startsWith(START)) {
            return text;
        }
        try (GZIPInputStream packed = new GZIPInputStream(
                new ByteArrayInputStream(Base64.getDecoder().decode(text.substring(START.length()))))) {
            byte[] bytes = packed.readNBytes(MAX_BYTES);
            if (packed.read() >= 0) {
                throw new InvalidJobException(
                        "the payload has more than " + MAX_BYTES + " bytes when it is decompressed");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (InvalidJobException e) {
            throw e;
        } catch (IOException | IllegalArgumentException e) {
            throw new InvalidJobException(
                    "the payload is marked as compressed, but cannot be decompressed: " + e.getMessage(), e);
        }
    }

    @Override
    public String identity(String text) {
        return inner.identity(plain(text));
    }
}
