package dev.pawl.codec;

import dev.pawl.api.InvalidJobException;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.TypeToken;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Encrypts payloads with AES-GCM, so that administrators of the database and readers of its backups cannot read them, and changes are
 * detected. Keys have names, so that they can be rotated: write with the new key, and read ({@link #reading}) with the old key until no job
 * encrypted with it exists. Immutable, thread-safe.
 *
 * <p>An error of the inner codec may quote the payload. Therefore only the class of the error, its stack trace and the place in the
 * payload's type are passed on.
 *
 * <p>Payloads stored earlier in plain text are read as well, unless {@link #refusingPlainText} is set. Kind, queue, tags, headers,
 * concurrency and unique keys, log lines and errors of handlers are not encrypted. Searches do not find text in encrypted payloads, and a
 * job that is enqueued on the command line has a plain-text payload. An encrypted payload cannot be edited to plain text ({@link
 * dev.pawl.admin.JobAdmin#edit}). Encryption lengthens a payload by about a third plus 80 characters. A user with write access to the
 * database can copy the encrypted payload of one job to another.
 */
public final class EncryptedCodec implements PayloadCodec {
    private static final String START = "pawl:aes-gcm:";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,40}");
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final PayloadCodec inner;
    private final String current;
    private final Map<String, SecretKey> keys;
    private final SecretKey identity;
    private final boolean plainText;

    private EncryptedCodec(
            PayloadCodec inner, String current, Map<String, SecretKey> keys, SecretKey identity, boolean plainText) {
        this.inner = inner;
        this.current = current;
        this.keys = keys;
        this.identity = identity;
        this.plainText = plainText;
    }

    /**
     * Returns a codec that encrypts with a key.
     *
     * @param inner encodes payloads, such as a {@link JacksonCodec}
     * @param name of the key: 1 to 40 letters, digits and {@code . _ -}; it is stored with each payload
     * @param key for AES, of 128, 192 or 256 bits
     * @return a codec
     * @throws InvalidJobException if the name or the key is not valid
     */
    public static EncryptedCodec of(PayloadCodec inner, String name, SecretKey key) {
        return new EncryptedCodec(Objects.requireNonNull(inner), checked(name, key), Map.of(name, key), key, true);
    }

    private static String checked(String name, SecretKey key) {
        if (!NAME.matcher(name).matches()) {
            throw new InvalidJobException(
                    "'" + name + "' is not the name of a key: use 1 to 40 letters, digits and . _ -");
        }
        byte[] bytes = key.getEncoded(); // null if the key cannot leave its security module
        if (!key.getAlgorithm().equals("AES")
                || (bytes != null && bytes.length != 16 && bytes.length != 24 && bytes.length != 32)) {
            throw new InvalidJobException("the key '" + name + "' is not an AES key of 128, 192 or 256 bits");
        }
        return name;
    }

    /**
     * Adds a key for decryption only.
     *
     * @param name of the key with which payloads were encrypted
     * @param key the key
     * @return a copy
     * @throws InvalidJobException if the name or the key is not valid, or the name is taken
     */
    public EncryptedCodec reading(String name, SecretKey key) {
        Map<String, SecretKey> more = new HashMap<>(keys);
        if (more.put(checked(name, key), key) != null) {
            throw new InvalidJobException("there is a key '" + name + "' already");
        }
        return new EncryptedCodec(inner, current, Map.copyOf(more), identity, plainText);
    }

    /**
     * Sets the key for {@link dev.pawl.api.EnqueueOptions#uniqueByPayload()}, from which the identity of payloads is computed. When keys
     * are rotated, set the first key here. Otherwise a job encrypted with the old key and a job encrypted with the new key may have the
     * same payload.
     *
     * @param key any secret key; by default the one that encrypts
     * @return a copy
     */
    public EncryptedCodec identityBy(SecretKey key) {
        return new EncryptedCodec(inner, current, keys, Objects.requireNonNull(key), plainText);
    }

    /** {@return a copy that refuses to decode plain text, so that only jobs enqueued with a key can run} */
    public EncryptedCodec refusingPlainText() {
        return new EncryptedCodec(inner, current, keys, identity, false);
    }

    @Override
    public <T> String encode(T payload, TypeToken<T> type) {
        byte[] text = Utf8.bytes(
                Redaction.call("a payload of type " + type + " cannot be written", () -> inner.encode(payload, type)));
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        String head = START + current + ":";
        try {
            byte[] hidden =
                    cipher(Cipher.ENCRYPT_MODE, key(current), nonce, head).doFinal(text);
            byte[] all = ByteBuffer.allocate(nonce.length + hidden.length)
                    .put(nonce)
                    .put(hidden)
                    .array();
            return head + Base64.getEncoder().withoutPadding().encodeToString(all);
        } catch (GeneralSecurityException e) {
            throw new InvalidJobException(
                    "a payload cannot be encrypted with key '" + current + "': " + e.getMessage(), e);
        }
    }

    /**
     * Tells whether a stored payload is encrypted.
     *
     * @param text of a payload, as it is stored
     * @return whether it was encrypted by such a codec
     */
    public static boolean isEncrypted(String text) {
        return text.startsWith(START);
    }

    private static Cipher cipher(int mode, SecretKey key, byte[] nonce, String head) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(head.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    private SecretKey key(String name) {
        SecretKey key = keys.get(name);
        if (key == null) {
            throw new InvalidJobException("the payload is encrypted with key '" + name
                    + "', which this program does not have: give it to the codec with reading(...)");
        }
        return key;
    }

    @Override
    public <T> T decode(String text, TypeToken<T> type) {
        String plain = plain(text);
        return Redaction.call("the payload cannot be read as " + type, () -> inner.decode(plain, type));
    }

    private String plain(String text) {
        if (!isEncrypted(text)) {
            if (plainText) {
                return text;
            }
            throw new InvalidJobException("the payload is not encrypted, and this program refuses that");
        }
        int end = text.indexOf(':', START.length());
        String name = end < 0 ? "" : text.substring(START.length(), end);
        if (!NAME.matcher(name).matches()) {
            throw new InvalidJobException("the payload begins as if it were encrypted, but names no key");
        }
        SecretKey key = key(name);
        try {
            byte[] all = Base64.getDecoder().decode(text.substring(end + 1));
            byte[] nonce = java.util.Arrays.copyOf(all, NONCE_BYTES);
            byte[] shown = cipher(Cipher.DECRYPT_MODE, key, nonce, START + name + ":")
                    .doFinal(all, NONCE_BYTES, Math.max(0, all.length - NONCE_BYTES));
            return new String(shown, StandardCharsets.UTF_8);
        } catch (AEADBadTagException e) {
            throw new InvalidJobException(
                    "the payload was changed, or is encrypted with another key of the name '" + name + "'", e);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new InvalidJobException(
                    "the payload, encrypted with key '" + name + "', was cut off or changed, and cannot be read", e);
        }
    }

    /** Equal for equal payloads. A payload cannot be guessed from its identity without the key. */
    @Override
    public String identity(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(identity);
            byte[] drawn = mac.doFinal(identityOf(plain(text)).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(drawn);
        } catch (GeneralSecurityException e) {
            throw new InvalidJobException("the identity of a payload cannot be computed: " + e.getMessage(), e);
        }
    }

    private String identityOf(String plain) {
        return Redaction.call("the payload cannot be compared", () -> inner.identity(plain));
    }
}
