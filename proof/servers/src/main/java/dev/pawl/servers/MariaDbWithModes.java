package dev.pawl.servers;

/**
 * A MariaDB whose sessions have variables, and whose driver has an option, that change the meaning or the limits of statements.
 *
 * @param server the MariaDB
 * @param variables their assignments, in the syntax of {@code SET}
 */
record MariaDbWithModes(TestServer server, String variables) implements TestServer {
    @Override
    public Product product() {
        return server.product();
    }

    @Override
    public String version() {
        return server.version();
    }

    @Override
    public TestDatabase createDatabase() {
        TestDatabase database = server.createDatabase();
        String url = database.jdbcUrl();
        // The driver passes the assignments on unchanged. As the count of an update it returns only the rows whose values have changed.
        String option = "sessionVariables=" + variables + "&useAffectedRows=true";
        return new TestDatabase(url + (url.contains("?") ? "&" : "?") + option, database.onClose());
    }

    @Override
    public boolean canRestart() {
        return false;
    }

    @Override
    public void kill() {
        throw new UnsupportedOperationException("other tests use the server, too");
    }

    @Override
    public void start() {
        throw new UnsupportedOperationException("other tests use the server, too");
    }

    @Override
    public void close() {}
}
