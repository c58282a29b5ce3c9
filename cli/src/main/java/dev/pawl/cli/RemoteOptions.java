package dev.pawl.cli;

import dev.pawl.manager.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options shared by managers and remote workers: the shared secret and TLS. */
final class RemoteOptions {
    @Option(
            names = "--tls-keystore",
            paramLabel = "FILE",
            description =
                    "PKCS#12 file with this side's key, to listen with TLS; its password is in PAWL_TLS_PASSWORD.")
    private @Nullable Path keystore;

    /** From the environment; not an option, because other users can read a command line. */
    Secret secret() {
        String text = System.getenv("PAWL_SECRET");
        if (text == null) {
            text = System.getProperty("pawl.secret"); // for tests, which cannot set their environment
        }
        if (text == null || text.isBlank()) {
            throw new UsageException("set PAWL_SECRET to the secret that managers and workers share");
        }
        return new Secret(text.strip());
    }

    @Nullable
    SSLContext tls() {
        if (keystore == null) {
            return null;
        }
        String text = System.getenv("PAWL_TLS_PASSWORD");
        char[] password = text == null ? new char[0] : text.toCharArray();
        try (InputStream in = Files.newInputStream(keystore)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, password);
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(keys, password);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new UsageException("cannot read the key store " + keystore + ": " + e.getMessage()
                    + " (is it PKCS#12, and is its password in PAWL_TLS_PASSWORD?)");
        }
    }
}
