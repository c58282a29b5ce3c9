package dev.pawl.servers;

import java.util.UUID;

/** A server that is already running. Only databases created by this library are touched. */
final class ExternalServer implements TestServer {
    private final Product product;
    private final String name;
    private final String url;

    ExternalServer(Product product, String url) {
        this.product = product;
        this.name = product.lowerCaseName();
        this.url = url.startsWith("jdbc:mysql:") ? withMySqlDefaults(url) : url;
    }

    /**
     * Without TLS, MySQL's driver must be allowed to fetch the server's public key, with which it encrypts the password.
     */
    private static String withMySqlDefaults(String url) {
        String result = url;
        for (String option : new String[] {"allowPublicKeyRetrieval=true", "sslMode=DISABLED"}) {
            if (!result.contains(option.substring(0, option.indexOf('=')))) {
                result += (result.contains("?") ? "&" : "?") + option;
            }
        }
        return result;
    }

    @Override
    public Product product() {
        return product;
    }

    @Override
    public String version() {
        return Sql.version(name, url);
    }

    @Override
    public TestDatabase createDatabase() {
        String database =
                "pawl_test_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
        Sql.execute(name, url, "CREATE DATABASE " + database);
        return new TestDatabase(url(database), () -> drop(database));
    }

    private void drop(String database) {
        if (product == Product.POSTGRESQL) {
            Sql.execute(name, url, "DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
        } else {
            Sql.dropMySqlDatabase(name, url, database);
        }
    }

    /** {@return the given URL with another database: jdbc:mysql://host:port/jobs?user=… has jobs replaced} */
    private String url(String database) {
        return url.replaceFirst("(://[^/?]+)(/[^?]*)?", "$1/" + database);
    }

    @Override
    public boolean canRestart() {
        return false;
    }

    @Override
    public void kill() {
        throw new UnsupportedOperationException("the given " + name + " server is not ours to kill");
    }

    @Override
    public void start() {
        throw new UnsupportedOperationException("the given " + name + " server is not ours to start");
    }

    @Override
    public void close() {}
}
