package dev.pawl.servers;

/**
 * A MariaDB with session variables and a driver option that change the meaning or the limits of statements.
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
        // The driver passes the assignments on unchanged. With the second option, an update returns the number of rows
        // whose values changed.
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
