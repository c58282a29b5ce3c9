package dev.pawl.servers;

/**
 * A MariaDB whose connections have modes that change what SQL means.
 *
 * @param server the MariaDB
 * @param variables of its sessions, as {@code SET} takes them
 */
record WithModes(TestServer server, String variables) implements TestServer {
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
        String option = "sessionVariables=" + variables; // the driver takes it as it is
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
