"""What goes wrong between the pages and a PostgreSQL server."""

from django.db import close_old_connections, connection

from .house import House
from .table import begin


def test_a_connection_that_died_is_replaced_by_itself(house: House):
    phone = begin()
    assert phone.client.get(phone.address()).status_code == 200
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [connection.connection.info.backend_pid])
    other.close()
    close_old_connections()  # As a server does before each request; the tests' client does not.
    assert phone.client.get(phone.address()).status_code == 200
