"""The pages of Tafferan: a Django project and its only app, in one folder."""
